import { DropdownMenu, Popover as RadixPopover } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon, type IconName } from './icon.tsx';

const floating = 'z-50 rounded-card border border-line bg-surface shadow-float animate-appear';

export interface MenuProps {
  /** The control that opens it. */
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}

/** Not modal: a modal one would write a style element into the page to hold its scrolling. */
export function Menu({ trigger, children, align = 'end' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={classes(floating, 'min-w-40 p-1')}
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  icon?: IconName;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, danger, disabled, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      disabled={disabled ?? false}
      onSelect={onSelect}
      className={classes(
        'flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm outline-none data-disabled:opacity-50',
        danger ? 'text-bad data-highlighted:bg-bad-wash' : 'data-highlighted:bg-hover',
      )}
    >
      {icon && <Icon name={icon} />}
      {children}
    </DropdownMenu.Item>
  );
}

export const MenuSeparator = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;

export interface PopoverProps {
  trigger: ReactNode;
  /** Says what it is to those who cannot see where it opened. */
  label: string;
  children: ReactNode;
  className?: string;
  align?: 'start' | 'center' | 'end';
}

/** Details on demand. */
export function Popover({ trigger, label, children, className, align = 'start' }: PopoverProps) {
  return (
    <RadixPopover.Root>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          align={align}
          aria-label={label}
          sideOffset={6}
          collisionPadding={12}
          className={classes(floating, 'max-w-[calc(100vw-1.5rem)] p-4', className)}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
