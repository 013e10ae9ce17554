import type { RunDetail } from '@kith/protocol';
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import { useMemo, useState } from 'react';
import { classes, Dialog, Icon, type IconName, JsonText } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { StepDetails } from '../step-details.tsx';
import { useStepName } from '../step-name.ts';
import type { Step } from '../steps.ts';
import { runWords } from '../words.ts';
import { type GraphNode, layOut, NODE_HEIGHT, NODE_WIDTH } from './layout.ts';
import '@xyflow/react/dist/base.css';
import './graph.css';

type RunNode = Node<{ graph: GraphNode }, 'run'>;

const nodeTypes = { run: RunNodeBox };
const MARGIN = 24;

/** The way a run took, and the plan beside it. */
export function GraphView({ run, steps }: { run: RunDetail; steps: readonly Step[] }) {
  const words = useWords(runWords);
  const [chosen, setChosen] = useState<string>();
  const graph = useMemo(() => layOut(run, steps), [run, steps]);
  const labelOf = useLabel();
  const nameOf = useStepName();
  const nodes = graph.nodes.map(
    (node): RunNode => ({
      id: node.id,
      type: 'run',
      position: { x: node.x, y: node.y },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      data: { graph: node },
      selected: node.id === chosen,
      ariaLabel: labelOf(node),
    }),
  );
  const edges = graph.edges.map(
    ({ from, to, kind }): Edge => ({
      id: `${from}>${to}`,
      source: from,
      sourceHandle: kind === 'step' ? 'down' : 'right',
      target: to,
      targetHandle: kind === 'step' ? 'up' : 'left',
      focusable: false,
      className: kind,
      ...(kind === 'serves' ? {} : { markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--color-edge)' } }),
    }),
  );
  const shown = graph.nodes.find(({ id }) => id === chosen);
  const height = Math.max(...graph.nodes.map(({ y }) => y)) + NODE_HEIGHT + 2 * MARGIN;
  return (
    <div className="grid gap-3">
      <p className="text-sm text-faint">{words.graphHint}</p>
      <section
        aria-label={words.graphLabel}
        className="run-graph max-h-[110rem] min-h-80 rounded-control border border-line"
        style={{ height }}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodesChange={(changes) => {
            for (const change of changes) {
              if (change.type === 'select' && change.selected) setChosen(change.id);
            }
          }}
          nodesDraggable={false}
          nodesConnectable={false}
          fitView
          fitViewOptions={{ maxZoom: 1, padding: `${MARGIN}px` }}
          minZoom={0.2}
          zoomOnScroll={false}
          preventScrolling={false}
        >
          <Background gap={20} />
          <Controls showInteractive={false} />
        </ReactFlow>
      </section>
      <Dialog
        open={shown !== undefined}
        onClose={() => setChosen(undefined)}
        title={shown?.step ? nameOf(shown.step) : (shown?.todo?.task ?? '')}
        className="max-w-3xl!"
      >
        {shown?.step && <StepDetails step={shown.step} />}
        {shown?.todo && <JsonText label={words.todos} value={shown.todo} />}
      </Dialog>
    </div>
  );
}

function useLabel(): (node: GraphNode) => string {
  const words = useWords(runWords);
  const nameOf = useStepName();
  return ({ step, todo }) => {
    if (step) return `${nameOf(step)}: ${step.action?.summary ?? ''}`;
    return todo ? `${words.todos}: ${todo.task} (${words.todoStatuses[todo.status]})` : '';
  };
}

function RunNodeBox({ data: { graph }, selected }: NodeProps<RunNode>) {
  return (
    <>
      <Handle id="up" type="target" position={Position.Top} isConnectable={false} />
      <Handle id="left" type="target" position={Position.Left} isConnectable={false} />
      <div
        className={classes(
          'flex size-full flex-col justify-center rounded-card border px-3 text-sm leading-5',
          graph.todo ? 'border-dashed' : '',
          selected ? 'border-accent ring-2 ring-accent' : 'border-edge',
          graph.step?.hasFailed || graph.todo?.status === 'failed' ? 'bg-bad-wash' : 'bg-surface',
        )}
      >
        {graph.step && <StepContent step={graph.step} />}
        {graph.todo && <TodoContent todo={graph.todo} />}
      </div>
      <Handle id="down" type="source" position={Position.Bottom} isConnectable={false} />
      <Handle id="right" type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  user_context: 'user',
  files: 'file',
  memory: 'memory',
  router: 'runs',
  planner: 'edit',
  tool: 'tool',
  client_tool: 'tool',
  approval: 'shield',
  pause: 'stop',
  reflection: 'search',
  output: 'chat',
  learn: 'memory',
  end: 'check',
  call: 'chat',
};

function StepContent({ step }: { step: Step }) {
  const format = useFormat();
  const nameOf = useStepName();
  return (
    <>
      <span className="flex items-center gap-1.5 font-medium">
        <Icon name={ICONS[step.node] ?? 'runs'} className="text-accent" />
        <span className="min-w-0 flex-1 truncate">{nameOf(step)}</span>
        {step.cost !== undefined && (
          <span className="text-xs font-normal text-faint tabular-nums">{format.money(step.cost)}</span>
        )}
      </span>
      <span className="truncate text-xs text-soft">{step.action?.summary || '…'}</span>
    </>
  );
}

function TodoContent({ todo }: { todo: NonNullable<GraphNode['todo']> }) {
  const words = useWords(runWords);
  return (
    <>
      <span className="truncate font-medium">{todo.task}</span>
      <span className="text-xs text-soft">
        {words.todos} {todo.id} · {words.todoStatuses[todo.status]}
      </span>
    </>
  );
}
