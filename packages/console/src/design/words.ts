import { dictionary, useWords } from '../language/index.ts';

const words = dictionary(
  {
    cancel: '取消',
    close: '关闭',
    dismiss: '不再显示',
    loading: '正在加载…',
    retry: '重试',
    failed: '没能加载',
  },
  {
    cancel: 'Cancel',
    close: 'Close',
    dismiss: 'Dismiss',
    loading: 'Loading…',
    retry: 'Try again',
    failed: 'This could not be loaded',
  },
);

export const useDesignWords = () => useWords(words);
