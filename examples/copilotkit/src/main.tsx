import { CopilotChat, CopilotKit, useDefaultRenderTool, useInterrupt } from '@copilotkit/react-core/v2';
import '@copilotkit/react-core/v2/styles.css';
import { createRoot } from 'react-dom/client';
import './style.css';

const runtimeUrl = 'http://127.0.0.1:7070/api/v1/copilotkit';
// Dev auth. With real logins: { Authorization: `Bearer ${token}` }.
const headers = { 'X-User-Id': 'zhangsan' };

const inWords = (zh: string, en: string) => (navigator.language.startsWith('zh') ? zh : en);

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
      <fieldset className="approval">
        <legend>
          {inWords('可以执行吗？', 'May I?')} <code>{interrupt?.message}</code>
        </legend>
        <button type="button" className="primary" onClick={() => resolve({ approved: true })}>
          {inWords('同意', 'Approve')}
        </button>
        <button type="button" onClick={() => resolve({ approved: false })}>
          {inWords('拒绝', 'Reject')}
        </button>
      </fieldset>
    ),
  });
  return null;
}

/** Results that have a card come as A2UI and are drawn by CopilotKit; a line for every call is enough beside them. */
function Tools() {
  useDefaultRenderTool({
    render: ({ name, status }) => (
      <p className="tool">
        {status === 'complete' ? '✓' : '…'} {name}
      </p>
    ),
  });
  return null;
}

const page = document.querySelector('#page');
if (page) {
  createRoot(page).render(
    // Kith draws its own cards: the model need not read the catalogue of components with every question.
    <CopilotKit runtimeUrl={runtimeUrl} headers={headers} enableInspector={false} a2ui={{ includeSchema: false }}>
      <Approvals />
      <Tools />
      <CopilotChat
        agentId="default"
        threadId={threadId()}
        labels={{
          chatInputPlaceholder: inWords('帮我查一下我明天的日程', 'What is on my calendar tomorrow?'),
          chatDisclaimerText: inWords('AI 会出错，重要信息请核对。', 'AI makes mistakes: check what matters.'),
        }}
      />
    </CopilotKit>,
  );
}
