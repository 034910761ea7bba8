import { Button, CopyButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Notice } from './page.tsx';

/** Something that the server shows only this once. */
export function SecretNotice({
  title,
  secret,
  children,
}: {
  title: string;
  secret: string;
  children?: ReactNode;
}): ReactNode {
  return (
    <Notice tone="waiting" title={`${title}: it is shown only this once`}>
      <div className="stack" style={{ gap: 8 }}>
        <code className="mono">{secret}</code>
        {children}
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <div>
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            </div>
          )}
        </CopyButton>
      </div>
    </Notice>
  );
}
