import { CopilotChat, CopilotKit, useInterrupt } from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { createRoot } from 'react-dom/client';

const runtimeUrl = 'http://127.0.0.1:7070/api/v1/copilotkit';
// Dev auth. With real logins: { Authorization: `Bearer ${token}` }.
const headers = { 'X-User-Id': 'zhangsan' };

/** The thread outlives the page: a reload comes back to it. */
function threadId(): string {
  const known = sessionStorage.getItem('thread') ?? crypto.randomUUID();
  sessionStorage.setItem('thread', known);
  return known;
}

/** Kith asks before it deletes, shares, or calls a tool that it does not know. */
function Approvals() {
  useInterrupt({
    render: ({ interrupt, resolve }) => (
      <fieldset>
        <legend>{interrupt?.message}</legend>
        <button type="button" onClick={() => resolve({ approved: true })}>
          同意
        </button>
        <button type="button" onClick={() => resolve({ approved: false })}>
          拒绝
        </button>
      </fieldset>
    ),
  });
  return null;
}

const page = document.querySelector('#page');
if (page) {
  createRoot(page).render(
    <CopilotKit runtimeUrl={runtimeUrl} headers={headers}>
      <Approvals />
      <CopilotChat agentId="default" threadId={threadId()} />
    </CopilotKit>,
  );
}
