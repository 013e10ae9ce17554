import { dictionary } from '../language/index.ts';

export const adminWords = dictionary({ title: '管理' }, { title: 'Admin' });
