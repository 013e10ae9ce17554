import { dictionary } from '../language/index.ts';

export const meWords = dictionary({ title: '我' }, { title: 'Me' });
