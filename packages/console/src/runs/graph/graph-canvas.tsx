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
import { classes, Icon, type IconName } from '../../design/index.ts';
import { type GraphEdge, NODE_HEIGHT, NODE_WIDTH } from './measures.ts';
import '@xyflow/react/dist/base.css';
import './graph.css';

/** A node as it is drawn: all words are its maker's. */
export interface CanvasNode {
  id: string;
  x: number;
  y: number;
  icon: IconName;
  title: string;
  note: string;
  figure: string;
  isTodo: boolean;
  hasFailed: boolean;
}

export interface GraphCanvasProps {
  label: string;
  nodes: readonly CanvasNode[];
  edges: readonly GraphEdge[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

type BoxNode = Node<{ node: CanvasNode }, 'box'>;

const nodeTypes = { box: Box };
const MARGIN = 24;

/** Draws a graph and says which node was chosen. Alone with its library, which is most of what the page weighs. */
export function GraphCanvas({ label, nodes, edges, chosen, onChoose }: GraphCanvasProps) {
  const height = Math.max(0, ...nodes.map(({ y }) => y)) + NODE_HEIGHT + 2 * MARGIN;
  return (
    <section
      aria-label={label}
      className="run-graph max-h-[110rem] min-h-80 rounded-control border border-line"
      style={{ height }}
    >
      <ReactFlow
        nodes={nodes.map((node) => boxOf(node, chosen))}
        edges={edges.map(lineOf)}
        nodeTypes={nodeTypes}
        onNodesChange={(changes) => {
          for (const change of changes) {
            if (change.type === 'select' && change.selected) onChoose(change.id);
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
  );
}

const boxOf = (node: CanvasNode, chosen: string | undefined): BoxNode => ({
  id: node.id,
  type: 'box',
  position: { x: node.x, y: node.y },
  width: NODE_WIDTH,
  height: NODE_HEIGHT,
  data: { node },
  selected: node.id === chosen,
  ariaLabel: `${node.title}: ${node.note}`,
});

const lineOf = ({ from, to, kind }: GraphEdge): Edge => ({
  id: `${from}>${to}`,
  source: from,
  sourceHandle: kind === 'step' ? 'down' : 'right',
  target: to,
  targetHandle: kind === 'step' ? 'up' : 'left',
  focusable: false,
  className: kind,
  ...(kind === 'serves' ? {} : { markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--color-edge)' } }),
});

function Box({ data: { node }, selected }: NodeProps<BoxNode>) {
  return (
    <>
      <Handle id="up" type="target" position={Position.Top} isConnectable={false} />
      <Handle id="left" type="target" position={Position.Left} isConnectable={false} />
      <div
        className={classes(
          'flex size-full flex-col justify-center rounded-card border px-3 text-sm leading-5',
          node.isTodo && 'border-dashed',
          selected ? 'border-accent ring-2 ring-accent' : 'border-edge',
          node.hasFailed ? 'bg-bad-wash' : 'bg-surface',
        )}
      >
        <span className="flex items-center gap-1.5 font-medium">
          <Icon name={node.icon} className="text-accent" />
          <span className="min-w-0 flex-1 truncate">{node.title}</span>
          {node.figure && <span className="text-xs font-normal text-faint tabular-nums">{node.figure}</span>}
        </span>
        <span className="truncate text-xs text-soft">{node.note || '…'}</span>
      </div>
      <Handle id="down" type="source" position={Position.Bottom} isConnectable={false} />
      <Handle id="right" type="source" position={Position.Right} isConnectable={false} />
    </>
  );
}
