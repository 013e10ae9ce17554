import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { randomId, useStatus } from '../api/index.ts';
import { PageHeader, SidebarContent, useShortcut } from '../app/index.ts';
import { useWords } from '../language/index.ts';
import { beginTyping, Composer } from './composer/composer.tsx';
import { Conversation } from './conversation.tsx';
import { prepareMarkdown } from './messages/answer.tsx';
import { SessionList } from './sessions/session-list.tsx';
import { threadOf, useThreadChanges } from './thread/index.ts';
import { Welcome } from './welcome.tsx';
import { chatWords } from './words.ts';

/** `/` is a chat that has not begun, `/chat/…` one that has. */
export function ChatPage() {
  const { threadId } = useParams({ strict: false });
  useEffect(prepareMarkdown, []);
  return (
    <>
      <SidebarContent>
        <SessionList current={threadId} />
      </SidebarContent>
      {threadId === undefined ? <NewChat /> : <Conversation key={threadId} threadId={threadId} />}
    </>
  );
}

function NewChat() {
  const words = useWords(chatWords);
  const navigate = useNavigate();
  const onChange = useThreadChanges();
  const field = useRef<HTMLTextAreaElement>(null);
  const [threadId] = useState(randomId);
  useShortcut('/', words.shortcuts.compose, () => field.current?.focus());
  useEffect(() => beginTyping(field.current), []);
  const send = (message: { text: string; fileIds: readonly string[] }) => {
    threadOf(threadId, { isNew: true, onChange }).send(message);
    void navigate({ to: '/chat/$threadId', params: { threadId } });
  };
  return (
    <>
      <PageHeader title={words.newChat} />
      <Welcome onSay={(text) => send({ text, fileIds: [] })} />
      <Composer
        draftOf="new"
        field={field}
        onSend={send}
        onStop={undefined}
        note={useStatus().data?.simulator ? words.simulated : undefined}
      />
    </>
  );
}
