/** The frame of every page: navigation, header, shortcuts, theme. */
export { Page, PageHeader, type PageHeaderProps } from './page.tsx';
export { type PageTab, PageTabs } from './page-tabs.tsx';
export { rootRoute } from './root-route.tsx';
export { useShortcut } from './shortcuts.ts';
export { SidebarContent, useSidebar } from './sidebar.tsx';
export { type Stored, stored, useStored } from './stored.ts';
