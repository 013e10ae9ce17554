import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { IconButton } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import { chatWords } from '../words.ts';
import { AttachmentList } from './attachment-list.tsx';
import { useAttachments } from './use-attachments.ts';
import { useDraft } from './use-draft.ts';
import { useFileDrop } from './use-file-drop.ts';

export interface ComposerProps {
  /** The thread whose draft this is; `new` before there is one. */
  draftOf: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (message: { text: string; fileIds: string[] }) => void;
  /** There while an answer is under way. */
  onStop: (() => void) | undefined;
  /** Under the field, at the end. */
  note?: string | undefined;
}

/** Puts the cursor there, unless a keyboard on the screen would then cover what one came to read. */
export function beginTyping(field: HTMLTextAreaElement | null): void {
  if (window.matchMedia('(hover: hover) and (min-width: 56rem)').matches) field?.focus();
}

/** While an input method composes, Enter chooses a candidate. Some browsers say so only by the key code 229. */
const isComposing = ({ nativeEvent, keyCode }: KeyboardEvent): boolean => nativeEvent.isComposing || keyCode === 229;

export function Composer({ draftOf, field, onSend, onStop, note }: ComposerProps) {
  const words = useWords(chatWords);
  const [text, setText] = useDraft(draftOf);
  const picker = useRef<HTMLInputElement>(null);
  const attachments = useAttachments();
  const [isSent, setSent] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const isDragging = useFileDrop(attachments.add);
  const hasSomething = text.trim() !== '' || attachments.list.length > 0;
  const submit = () => {
    if (!hasSomething) return;
    setWaiting(attachments.isUploading);
    if (attachments.isUploading) return;
    const fileIds = attachments.list.flatMap(({ file }) => (file ? [file.id] : []));
    const names = attachments.list.map(({ name }) => name).join(' ');
    onSend({ text: text.trim() || names, fileIds });
    setText('');
    attachments.clear();
    setSent(true);
  };
  // Sent before its files were all there: it goes when they are.
  const submitLate = useEffectEvent(submit);
  useEffect(() => {
    if (isWaiting && !attachments.isUploading) submitLate();
  }, [isWaiting, attachments.isUploading]);
  return (
    <div className="mx-auto w-full max-w-3xl px-4 pb-3">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className={`relative rounded-2xl border bg-surface transition-colors focus-within:border-accent ${isDragging ? 'border-accent' : 'border-edge'}`}
      >
        <AttachmentList list={attachments.list} onRemove={attachments.remove} />
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label={words.composer}
          placeholder={words.placeholder}
          enterKeyHint="send"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
            event.preventDefault();
            submit();
          }}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            attachments.add(event.clipboardData.files);
          }}
          className="field-sizing-content block max-h-56 min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none placeholder:text-faint"
        />
        <div className="flex items-center gap-1 px-2 pb-2">
          <IconButton icon="attach" label={words.attach} onClick={() => picker.current?.click()} />
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              if (event.target.files) attachments.add(event.target.files);
              event.target.value = '';
            }}
          />
          <span className="min-w-0 flex-1" />
          {onStop && !hasSomething ? (
            <IconButton
              icon="stop"
              label={words.stop}
              look="plain"
              size="medium"
              className="rounded-full!"
              onClick={onStop}
            />
          ) : (
            <IconButton
              type="submit"
              icon="arrowUp"
              label={words.send}
              look="primary"
              size="medium"
              disabled={!hasSomething}
              busy={isWaiting}
              className="rounded-full!"
            />
          )}
        </div>
        {isDragging && (
          <div className="absolute inset-0 grid place-items-center rounded-2xl bg-accent-wash font-medium text-accent">
            {words.dropHere}
          </div>
        )}
      </form>
      <p className="mt-1.5 flex gap-3 px-2 text-xs text-faint">
        <span className="min-w-0 flex-1 max-wide:hidden">{isSent ? '' : words.keys}</span>
        {note && <span className="max-wide:flex-1 max-wide:text-center">{note}</span>}
      </p>
    </div>
  );
}
