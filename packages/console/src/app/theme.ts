import { stored } from './stored.ts';

export type Theme = 'system' | 'light' | 'dark';

/** `public/before-paint.js` reads the same key. */
export const theme = stored<Theme>(
  'kith.theme',
  (text) => (text === 'light' || text === 'dark' ? text : 'system'),
  (value) => (value === 'system' ? null : value),
);

/** Colours are `light-dark()` pairs: choosing a theme is choosing a colour scheme. */
export function followTheme(): void {
  const apply = () => {
    const chosen = theme.get();
    if (chosen === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
  };
  apply();
  theme.subscribe(apply);
}
