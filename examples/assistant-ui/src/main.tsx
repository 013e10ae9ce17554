import { HttpAgent } from '@ag-ui/client';
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive } from '@assistant-ui/react';
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui';
import { useMemo } from 'react';
import { createRoot } from 'react-dom/client';

const url = 'http://127.0.0.1:7070/api/v1/agent/agui';
// Dev auth. With real logins: { Authorization: `Bearer ${token}` }.
const headers = { 'X-User-Id': 'zhangsan' };

const Message = () => (
  <MessagePrimitive.Root>
    <MessagePrimitive.Parts />
  </MessagePrimitive.Root>
);

function Page() {
  const agent = useMemo(() => new HttpAgent({ url, headers }), []);
  const runtime = useAgUiRuntime({ agent });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport>
          <ThreadPrimitive.Messages components={{ Message }} />
        </ThreadPrimitive.Viewport>
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input placeholder="帮我查一下我明天的日程" />
          <ComposerPrimitive.Send>发送</ComposerPrimitive.Send>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}

const page = document.querySelector('#page');
if (page) createRoot(page).render(<Page />);
