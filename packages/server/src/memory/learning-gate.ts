/**
 * Whether a message may hold something to learn, by cheap rules in both languages: a call to a model is made only then.
 * Statements about oneself, wishes for the future and words of memory open the gate; questions and orders about the
 * matter at hand do not. When in doubt it opens: a needless call costs little, a fact that was missed is lost.
 */
export function worthLearning(prompt: string): boolean {
  // What someone pastes is not what they say; what they say of it stands before or after it.
  const said = prompt.length > 4000 ? `${prompt.slice(0, 2000)}\n${prompt.slice(-2000)}` : prompt;
  return sentencesOf(said.normalize('NFKC')).some(
    (sentence) => opens(always, sentence) || (!opens(questions, sentence) && opens(aboutOneself, sentence)),
  );
}

/** Whether a message asks to forget something; 别忘了 and "don't forget" ask for the opposite. */
export function asksToForget(prompt: string): boolean {
  return forgetting.test(prompt.slice(0, 4000).normalize('NFKC'));
}
const forgetting =
  /(?<![别要能没会我他她们都])忘[掉了记](?!带|拿|做|买|写)|[别不]要?再?记(?!得|错)|删[除掉].{0,10}记忆|(?<!don't |do not |never |not |to )\bforget (?:that|what|about|my|everything|it|all|me)\b|\bdelete\b.{0,30}\bmemor(?:y|ies)\b/iu;

const sentencesOf = (text: string): string[] => text.match(/[^.!?。;\n]+[.!?。;]*/gu) ?? [];
const opens = (cues: readonly RegExp[], sentence: string): boolean => cues.some((cue) => cue.test(sentence));

const anyOf = (...alternatives: string[]): string => `(?:${alternatives.join('|')})`;
const chinese = (...parts: string[]): RegExp => new RegExp(parts.join(''), 'u');
const english = (...parts: string[]): RegExp => new RegExp(`\\b${parts.join(' ')}\\b`, 'iu');

/** These are about memory or about the future, whatever else the sentence is. */
const always: readonly RegExp[] = [
  chinese(anyOf('记住', '记下来', '记一下', '记得我', '别忘', '不要忘', '忘掉', '你记错', '忘[了记][我这那它]')),
  chinese(anyOf('以后', '从现在起', '今后', '往后', '下次', '每次'), '.{0,12}', '[都请别用叫先只给帮回不]'),
  chinese(anyOf('叫我', '称呼我', '[请要](?:总是|一直|始终)', '不要再', '别再')),
  english(anyOf('remember(?: that| this| i| my| me|[:,])', 'keep in mind', 'make a note', 'for future reference')),
  english(anyOf("don't forget", 'do not forget', 'forget (?:that|what|about|my|everything)')),
  english(anyOf('from now on', 'going forward', 'in (?:the )?future', 'next time', 'every time', 'call me')),
  english(anyOf('always', 'never'), anyOf('use', 'reply', 'answer', 'write', 'give', 'keep', 'send', 'start', 'put')),
  english('stop', anyOf('using', 'calling', 'adding', 'sending')),
];

const questions: readonly RegExp[] = [
  /\?\s*$/u,
  /[吗呢吧][。!]?\s*$/u,
  chinese(anyOf('什么', '哪', '谁', '怎么', '多少', '几[点个号]', '是否', '是不是', '有没有', '能不能', '为什么')),
  /^\s*(?:who|what|when|where|which|why|how|do|does|did|is|are|am|was|were|can|could|will|would|should|shall|may)\b/iu,
];

const me = '(?<![给帮替为让跟])(?:我|咱|本人)们?';
const family = '[爸妈父母哥弟姐妹爷奶]|老婆|妻子|太太|老公|丈夫|爱人|对象|女朋友|男朋友|儿子|女儿|孩子';
const mine = anyOf('[的家]', family, '公司', '团队', '部门', '老板', '领导', '同事', '生日', '邮箱', '电话', '名字');
const iDo = anyOf(
  'like',
  'love',
  'prefer',
  'hate',
  'dislike',
  'enjoy',
  'avoid',
  'believe',
  'follow',
  'keep',
  'own',
  'use',
);
const iLive = anyOf(
  'work',
  'live',
  'drive',
  'speak',
  'study',
  'teach',
  'run',
  'manage',
  'lead',
  'eat',
  'drink',
  'play',
  'go',
);
const iDid = anyOf(
  'moved',
  'got',
  'bought',
  'started',
  'joined',
  'left',
  'quit',
  'switched',
  'married',
  'adopted',
  'went',
);
const iBecame = anyOf('grew', 'graduated', 'changed', 'was', 'were', 'report', 'decided', '(?:plan|intend|want) to');
const adverbs =
  '(?:(?:really|usually|always|never|often|mostly|currently|just|recently|now|only|also|still|actually) )*';

const aboutOneself: readonly RegExp[] = [
  chinese(
    me,
    anyOf('是', '叫', '姓', '住', '来自', '负责', '主管', '带', '对', '养', '学', '换', '搬', '升', '买了', '生了'),
  ),
  chinese(
    me,
    '[最更很挺特别非常比较一直真的]*',
    anyOf('喜欢', '爱', '讨厌', '偏好', '偏爱', '习惯', '倾向', '害怕', '受不了'),
  ),
  chinese(me, anyOf('不', '从不', '从来不'), '[喜爱吃喝用想抽能看会]'),
  chinese(me, '在.{1,15}', anyOf('工作', '上班', '上学', '读书', '任职', '生活', '住', '负责')),
  chinese(
    me,
    anyOf('今年', '已经', '刚', '正', '平时', '通常', '一般', '经常', '每', '总是', '从', '曾', '以前', '现在', '目前'),
  ),
  chinese(
    me,
    anyOf('最近', '上个?月', '去年', '前年', '下个?月', '明年', '离职', '入职', '跳槽', '毕业', '结婚', '离婚', '怀孕'),
  ),
  chinese(me, anyOf('希望', '打算', '计划', '准备', '决定', '想要', '想学', '要去', '还?有[一两三几个位只条台辆]')),
  chinese(me, mine, '.{0,16}', '[是叫在有住换改为变快要刚最不喜今过用]'),
  english("I(?:'m| am| was|'ve| have| had| used to)", '(?!looking for|trying to|wondering|asking|not sure)\\w+'),
  english('(?:I|we)', `${adverbs}${anyOf(iDo, iLive, iDid, iBecame)}`),
  english("I (?:can't|cannot|don't|do not|won't)", anyOf(iDo, iLive, 'want', 'have', 'stand', 'take', 'read', 'do')),
  english("I(?:'d| would)", anyOf('prefer', 'rather', 'like you to')),
  /\b(?:my|our)\b[^,.;]{0,40}\b(?:is|are|was|were|isn't|aren't|has|have|lives?|works?|likes?|prefers?|changed|moved|turns?|loves?|hates?)\b/iu,
];
