import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';
import { runProgram } from '../program.ts';

const kith = await testKith();

/** Types the lines into `kith chat` and gives back what it printed and what it remarked. */
async function chat(userId: string, language: string, ...lines: string[]) {
  let printed = '';
  let remarked = '';
  const code = await runProgram(['chat', '--url', kith.url, '--user', userId], {
    environment: { LANG: language },
    workingFolder: '.',
    input: Readable.from(lines.map((line) => `${line}\n`)),
    write: (text) => {
      printed += text;
    },
    complain: (text) => {
      remarked += text;
    },
  });
  return { code, printed, remarked };
}

test('a conversation in Chinese: a greeting, then three tools of which two run at the same time', async () => {
  const talk = await chat(
    'zhangsan',
    'zh_CN.UTF-8',
    '你好',
    '查一下明天的日程和李雷的联系方式，然后安排周五下午两点和他开会',
  );
  expect(talk.code).toBe(0);
  expect(talk.printed).toContain('你好');
  expect(talk.printed).toContain('已创建日程');
  expect(talk.remarked).toMatch(/读取日程 ✓[\s\S]*读取联系人 ✓[\s\S]*创建日程 ✓/);
});

test('a conversation in English, with a deed that waits for a word', async () => {
  const user = kith.as('alice');
  await user.put('/api/v1/users/me/profile', {
    username: 'alice',
    settings: { version: 2, preferences: { ai_language: 'en-US', interface_language: 'en-US' } },
  });
  const talk = await chat(
    'alice',
    'en_US.UTF-8',
    'schedule lunch with Li Lei tomorrow at noon',
    'cancel my lunch tomorrow',
    'y',
  );
  expect(talk.printed).toMatch(/lunch/i);
  expect(talk.remarked).toContain('Run "Delete event"?');
  expect(talk.remarked).toContain('Delete event ✓');
  const left = await kith.database.sql`select 1 from calendar_events where user_id = 'alice' and not canceled`;
  expect(left).toHaveLength(0);
});

test('a server that is not there is said so, with a code that a script can read', async () => {
  const gone = kith.url.replace(/:\d+$/, ':1');
  let remarked = '';
  const code = await runProgram(['chat', '--url', gone], {
    environment: {},
    workingFolder: '.',
    input: Readable.from(['hi\n']),
    write: () => {},
    complain: (text) => {
      remarked += text;
    },
  });
  expect(code).not.toBe(0);
  expect(remarked).not.toBe('');
});
