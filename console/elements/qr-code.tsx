import { type ReactNode, useMemo } from 'react';
import { encode } from 'uqr';

/** Modules of white around a code, by ISO/IEC 18004. */
const QUIET_ZONE = 4;
const SIZE_PX = 176;

/** A QR code. It is dark on white in both themes: few readers take an inverted one. */
export function QrCode({ of, label }: { of: string; label: string }): ReactNode {
  const { size, path } = useMemo(() => drawn(of), [of]);
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      width={SIZE_PX}
      height={SIZE_PX}
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function drawn(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const modules = data.flatMap((line, y) => line.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size, path: modules.join('') };
}
