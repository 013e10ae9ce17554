import { dictionary } from '../language/index.ts';

export const runWords = dictionary({ title: '运行' }, { title: 'Runs' });
