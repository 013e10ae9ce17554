/**
 * What a name can be typed as: from each syllable on, in full and by initials. 李雷 → ` lilei ll lei l`, so that
 * `lilei`, `lei` and `ll` all begin one of its words. Latin names go by their words.
 */
export async function typedForms(name: string): Promise<string> {
  const { pinyin } = await import('pinyin-pro');
  const syllables = pinyin(name, { type: 'array', toneType: 'none', nonZh: 'consecutive', surname: 'head', v: true })
    .flatMap((syllable) => plain(syllable).split(/[^\p{L}\p{N}]+/u))
    .filter(Boolean);
  const forms = new Set<string>();
  for (const index of syllables.keys()) {
    const rest = syllables.slice(index);
    forms.add(rest.join(''));
    forms.add(rest.map((syllable) => Array.from(syllable)[0]).join(''));
  }
  return [...forms].map((form) => ` ${form}`).join('');
}

/** Lower case, without accents. */
export const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A query without its spaces: `li lei` is typed like `lilei`. */
export const compact = (text: string): string => plain(text).replace(/\s+/g, '');
