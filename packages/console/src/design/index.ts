/** The parts that pages are made of. `Menu`, `Popover` and `Tabs` are heavier: import `design/menu.tsx`, `design/tabs.tsx` in lazy pages only. */
export { Button, type ButtonProps, IconButton, type IconButtonProps, Spinner } from './button.tsx';
export { classes } from './classes.ts';
export { ConfirmDialog, type ConfirmProps, Dialog, type DialogProps } from './dialog.tsx';
export { Checkbox, Field, type FieldProps, Input, Select, Textarea } from './field.tsx';
export { Icon, type IconName } from './icon.tsx';
export { JsonText } from './json-text.tsx';
export { ScrollBox, type ScrollBoxProps } from './scroll-box.tsx';
export { Badge, Card, EmptyState, LoadFailure, Loading, Notice, Skeleton, type Tone } from './surface.tsx';
export { type Column, Table, type TableProps } from './table.tsx';
export { Toasts, toast } from './toast.tsx';
