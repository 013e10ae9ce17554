import type { Tools } from './play.ts';

/** A little calendar and what goes with it; the clock of the tests stands at Monday, 16 November 2026, 10:00 in Shanghai. */

export const events = [
  {
    event_id: 'evt_1',
    title: '和李雷开会',
    start: '2026-11-16T15:00:00+08:00',
    end: '2026-11-16T16:00:00+08:00',
    all_day: false,
    location: '3号会议室',
    participants: [{ name: '李雷', status: 'accepted' }],
  },
  {
    event_id: 'evt_2',
    title: '周会',
    start: '2026-11-17T09:00:00+08:00',
    end: '2026-11-17T10:00:00+08:00',
    all_day: false,
  },
];
const contacts = [{ contact_id: 'con_1', name: '李雷', department: '市场部', title: '经理' }];
const memories = [{ memory_id: 'mem_1', kind: 'preference', content: '用户喜欢喝咖啡' }];

const success = (result: unknown) => ({ status: 'success' as const, result });

export const skills: Tools = {
  'calendar.read': ({ mode, date, query }) => {
    const found = events.filter(
      (event) =>
        (mode !== 'day' || event.start.startsWith(String(date))) && (mode !== 'search' || event.title === query),
    );
    return success({ count: found.length, events: found });
  },
  'calendar.create': () => success({ event_id: 'evt_9', status: 'created', conflicts: [] }),
  'calendar.update': ({ event_id }) => success({ event_id, status: 'updated', conflicts: [] }),
  'calendar.delete': ({ event_id }) => success({ event_id, status: 'deleted' }),
  'calendar.share': ({ event_id }) => success({ event_id, status: 'shared', count: 1 }),
  'calendar.accept_invite': ({ event_id }) => success({ event_id, status: 'accepted' }),
  'calendar.reject_invite': ({ event_id }) => success({ event_id, status: 'rejected' }),
  'contacts.read': ({ query }) => {
    const found = contacts.filter(({ name }) => query === undefined || query === name || query === 'Li Lei');
    return success({ count: found.length, contacts: found });
  },
  'memory.update': () => success({ status: 'updated', memory_ids: ['mem_2'], count: 1 }),
  'memory.search': () => success({ count: memories.length, memories }),
  'memory.forget': ({ memory_id }) => success({ memory_id, status: 'forgotten' }),
  'files.read': ({ file_id }) => success({ file_id, name: 'plan.md', text: 'Kith 计划在十二月发布。预算是十万元。' }),
  'files.search': () =>
    success({ count: 1, passages: [{ file_id: 'file_1', name: 'plan.md', text: '预算是十万元。' }] }),
  'mcp.echo.say': (input) => success(input),
};
