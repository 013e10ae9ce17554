import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { useDesignWords } from './words.ts';

export interface DialogProps {
  open: boolean;
  /** Asked to close: by Escape, by its button, by a click beside it. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/**
 * The browser's own modal dialog: it holds the focus, gives it back, and lies above everything, without a script that
 * writes styles. Its content exists only while it is open.
 */
export function Dialog({ open, onClose, title, description, footer, className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const words = useDesignWords();
  useEffect(() => {
    const element = dialog.current;
    if (open && element && !element.open) element.showModal();
    return () => element?.close();
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-description` : undefined}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className={classes(
        'w-[calc(100%-2rem)] max-w-lg rounded-card border border-line bg-surface p-0 shadow-float backdrop:bg-black/40',
        className,
      )}
    >
      <div className="flex max-h-[calc(100dvh-4rem)] flex-col">
        <header className="flex items-start gap-3 px-5 pt-4 pb-2">
          <h2 id={`${id}-title`} className="flex-1 pt-0.5 text-lg font-semibold">
            {title}
          </h2>
          <IconButton icon="close" label={words.close} onClick={onClose} className="-me-2" />
        </header>
        <div className="min-h-0 overflow-y-auto px-5 pb-5">
          {description && (
            <p id={`${id}-description`} className="mb-3 text-soft">
              {description}
            </p>
          )}
          {children}
        </div>
        {footer && <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
      </div>
    </dialog>
  );
}

export interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  description?: ReactNode;
  /** The deed in a word: "Delete", not "OK". */
  action: string;
  busy?: boolean;
}

/** Before something that cannot be taken back. */
export function ConfirmDialog({ open, onClose, onConfirm, title, description, action, busy }: ConfirmProps) {
  const words = useDesignWords();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={description}
      className="max-w-md"
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" onClick={onConfirm} busy={busy ?? false}>
            {action}
          </Button>
        </>
      }
    />
  );
}
