import { HttpAgent } from '@ag-ui/client';
import {
  AssistantRuntimeProvider,
  AuiIf,
  ComposerPrimitive,
  ErrorPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  type ToolCallMessagePartProps,
} from '@assistant-ui/react';
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui';
import { createRoot } from 'react-dom/client';
import { historyOf } from './history';
import { headers, kith, threadId } from './kith';
import './style.css';

const agent = new HttpAgent({ url: `${kith}/agui`, headers, threadId });
const history = historyOf();

const inWords = (zh: string, en: string) => (navigator.language.startsWith('zh') ? zh : en);

/** To leave a stream is not to stop its run: the server is asked to, and ends the stream. */
const stop = () => fetch(`${kith}/runs/${threadId}/cancel`, { method: 'POST', headers });

/** A line for every call; a call that waits for the user's word has two buttons. */
function ToolCall({ toolName, approval, result, respondToApproval }: ToolCallMessagePartProps) {
  // A2UI cards arrive as calls of this name: `@assistant-ui/react-generative-ui` draws them.
  if (toolName === 'present') return null;
  if (!approval || approval.approved !== undefined || result !== undefined) {
    return <p className="tool">{`${result === undefined ? '…' : '✓'} ${toolName}`}</p>;
  }
  return (
    <fieldset className="approval">
      <legend>
        {inWords('可以执行吗？', 'May I?')} <code>{toolName}</code>
      </legend>
      <button type="button" className="primary" onClick={() => respondToApproval({ approved: true })}>
        {inWords('同意', 'Approve')}
      </button>
      <button type="button" onClick={() => respondToApproval({ approved: false })}>
        {inWords('拒绝', 'Reject')}
      </button>
    </fieldset>
  );
}

const UserMessage = () => (
  <MessagePrimitive.Root className="user">
    <MessagePrimitive.Parts />
  </MessagePrimitive.Root>
);

const AssistantMessage = () => (
  <MessagePrimitive.Root className="assistant">
    <MessagePrimitive.Parts components={{ tools: { Fallback: ToolCall } }} />
    <MessagePrimitive.Error>
      <ErrorPrimitive.Root className="error">
        <ErrorPrimitive.Message />
      </ErrorPrimitive.Root>
    </MessagePrimitive.Error>
  </MessagePrimitive.Root>
);

const Composer = () => (
  <ComposerPrimitive.Root className="composer">
    <ComposerPrimitive.Input
      aria-label={inWords('消息', 'Message')}
      placeholder={inWords('帮我查一下我明天的日程', 'What is on my calendar tomorrow?')}
    />
    <AuiIf condition={({ thread }) => !thread.isRunning}>
      <ComposerPrimitive.Send className="primary">{inWords('发送', 'Send')}</ComposerPrimitive.Send>
    </AuiIf>
    <AuiIf condition={({ thread }) => thread.isRunning}>
      <button type="button" onClick={stop}>
        {inWords('停止', 'Stop')}
      </button>
    </AuiIf>
  </ComposerPrimitive.Root>
);

function Page() {
  const runtime = useAgUiRuntime({ agent, adapters: { history } });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root className="thread">
        <ThreadPrimitive.Viewport className="messages">
          <AuiIf condition={({ thread }) => thread.isEmpty}>
            <h1>{inWords('今天要做什么？', 'What shall we do today?')}</h1>
          </AuiIf>
          <ThreadPrimitive.Messages components={{ UserMessage, AssistantMessage }} />
        </ThreadPrimitive.Viewport>
        <Composer />
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

const page = document.querySelector('#page');
if (page) createRoot(page).render(<Page />);
