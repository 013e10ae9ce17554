import type { ComponentProps } from 'react';

/** What scrolls inside must be reachable by keyboard (WCAG 2.1.1), though it is nothing to press. */
const reachable = { tabIndex: 0 };

export type ScrollBoxProps = ComponentProps<'section'> & { 'aria-label': string };

export const ScrollBox = (props: ScrollBoxProps) => <section {...reachable} {...props} />;
