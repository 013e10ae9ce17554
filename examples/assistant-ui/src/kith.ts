export const kith = 'http://127.0.0.1:7070/api/v1/agent';
// Dev auth. With real logins: { Authorization: `Bearer ${token}` }.
export const headers = { 'X-User-Id': 'zhangsan' };

/** The thread outlives the page: a reload comes back to it. */
export const threadId = sessionStorage.getItem('thread') ?? crypto.randomUUID();
sessionStorage.setItem('thread', threadId);
