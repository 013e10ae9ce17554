import type { RunDetail } from '@kith/protocol';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Dialog, type IconName, JsonText, Loading } from '../../design/index.ts';
import { useFormat, useWords } from '../../language/index.ts';
import { StepDetails } from '../step-details.tsx';
import { useStepName } from '../step-name.ts';
import type { Step } from '../steps.ts';
import { runWords } from '../words.ts';
import type { CanvasNode } from './graph-canvas.tsx';
import { type GraphNode, layOut } from './layout.ts';

// The graph's library is the heaviest part of the page: it is fetched by those who look at the graph.
const GraphCanvas = lazy(() => import('./graph-canvas.tsx').then(({ GraphCanvas }) => ({ default: GraphCanvas })));

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

/** The way a run took, and the plan beside it. */
export function RunGraph({ run, steps }: { run: RunDetail; steps: readonly Step[] }) {
  const words = useWords(runWords);
  const nameOf = useStepName();
  const [chosen, setChosen] = useState<string>();
  const graph = useMemo(() => layOut(run, steps), [run, steps]);
  const toCanvas = useCanvasNode();
  const shown = graph.nodes.find(({ id }) => id === chosen);
  if (graph.nodes.length === 0) return <p className="py-6 text-center text-faint">{words.noSteps}</p>;
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-sm text-faint">{words.graphHint}</p>
      <Suspense fallback={<Loading lines={5} />}>
        <GraphCanvas
          label={words.graphLabel}
          nodes={graph.nodes.map(toCanvas)}
          edges={graph.edges}
          chosen={chosen}
          onChoose={setChosen}
        />
      </Suspense>
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

function useCanvasNode(): (node: GraphNode) => CanvasNode {
  const words = useWords(runWords);
  const format = useFormat();
  const nameOf = useStepName();
  return ({ id, x, y, step, todo }) => {
    if (step) {
      return {
        ...{ id, x, y },
        icon: ICONS[step.node] ?? 'runs',
        title: nameOf(step),
        note: step.action?.summary ?? '',
        figure: step.cost === undefined ? '' : format.money(step.cost),
        isTodo: false,
        hasFailed: step.hasFailed,
      };
    }
    const status = todo?.status ?? 'pending';
    return {
      ...{ id, x, y },
      icon: status === 'completed' ? 'check' : 'clock',
      title: todo?.task ?? '',
      note: `${words.todos} ${todo?.id ?? ''} · ${words.todoStatuses[status]}`,
      figure: '',
      isTodo: true,
      hasFailed: status === 'failed',
    };
  };
}
