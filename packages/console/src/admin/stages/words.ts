import { dictionary } from '../../language/index.ts';

export const stageWords = dictionary(
  {
    hint: '每个阶段用哪个模型。改动立即生效，正在运行的不受影响。',
    stages: {
      INTENT_RECOGNITION: ['意图识别', '读懂问题，直接回答，或交给执行。要快。'],
      TASK_EXECUTION: ['任务执行', '规划步骤、调用工具。要会用工具。'],
      RESULT_REPORTING: ['结果组织', '把查到的结果写成回答。'],
      MEMORY: ['学习记忆', '回答之后，记下新的事实。可以没有。'],
      EMBEDDING: ['向量', '按意思搜索记忆和文件。可以没有。'],
    },
    model: '模型',
    nothing: '不使用',
    choose: '请选择',
    noModels: '还没有模型',
    noModelsHint: '先在“供应商与模型”里添加。',
    simulator: '现在由内置模拟器回答，不花钱也不联网。添加一个供应商，再在这里选它。',
  },
  {
    hint: 'Which model serves which stage. A change holds at once; runs under way go on as they were.',
    stages: {
      INTENT_RECOGNITION: ['Intent', 'Understands the question; answers at once, or hands over. Should be fast.'],
      TASK_EXECUTION: ['Execution', 'Plans the steps and calls tools. Must be good with tools.'],
      RESULT_REPORTING: ['Reporting', 'Words the answer from what was found.'],
      MEMORY: ['Learning', 'After the answer, keeps what is new. Optional.'],
      EMBEDDING: ['Embedding', 'Searches memories and files by meaning. Optional.'],
    },
    model: 'Model',
    nothing: 'None',
    choose: 'Choose one',
    noModels: 'No models yet',
    noModelsHint: 'Add one under “Vendors and models” first.',
    simulator: 'The built-in simulator answers now: no money, no network. Add a vendor, then choose it here.',
  },
);
