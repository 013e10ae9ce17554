import { Page } from '../app/index.ts';
export function ChatPage() {
  return <Page title="chat">chat</Page>;
}
