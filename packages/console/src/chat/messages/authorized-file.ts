import { useEffect, useState } from 'react';
import { send } from '../../api/index.ts';

/** On this server, so that requests must say who asks; or somewhere on the web. */
export const isOwnFile = (url: string): boolean => /^\/(?!\/)/.test(url);

async function fetchFile(url: string, signal?: AbortSignal): Promise<Blob> {
  const response = await send('GET', url, { headers: { accept: '*/*' }, signal });
  return response.blob();
}

/** An address that an `<img>` can show: those of this server are fetched with the user's identity first. */
export function useImageAddress(url: string): { address: string | undefined; hasFailed: boolean } {
  const [address, setAddress] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (!isOwnFile(url)) return;
    const visit = new AbortController();
    let made: string | undefined;
    fetchFile(url, visit.signal).then(
      (blob) => {
        made = URL.createObjectURL(blob);
        setAddress(made);
      },
      () => setFailed(!visit.signal.aborted),
    );
    return () => {
      visit.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [url]);
  return { address, hasFailed };
}

export async function downloadFile(url: string, name: string): Promise<void> {
  const address = URL.createObjectURL(await fetchFile(url));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
