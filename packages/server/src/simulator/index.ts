/** The built-in vendor for offline use: a real HTTP server that speaks DeepSeek's and DashScope's wire. */
export type { Control, FaultInput, RecordedRequest, Script, ScriptedAnswer, ScriptedRequest } from './control.ts';
export type { Fault } from './faults.ts';
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts';
