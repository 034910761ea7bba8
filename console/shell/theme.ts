import { createTheme, Modal, Tooltip } from '@mantine/core';

const BLUE = [
  ...['#eef3ff', '#dbe6ff', '#b3caff', '#88aaff', '#5c88fb', '#3a6cf0', '#1d55e3', '#0044d4', '#003bb8', '#00319b'],
] as unknown as readonly [string, string, string, string, string, string, string, string, string, string];

const RED = [
  ...['#fdf0ef', '#f9dbd8', '#f0b3ad', '#e68980', '#db6355', '#cf4733', '#bd3b17', '#a51d10', '#960907', '#7a0505'],
] as unknown as typeof BLUE;

const DARK = [
  ...['#e9edf1', '#a3aeb9', '#8a96a2', '#6b7783', '#3a434c', '#2f363e', '#20252b', '#14171a', '#101315', '#0b0d0f'],
] as unknown as typeof BLUE;

const SYSTEM = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 7, dark: 6 },
  colors: { blue: BLUE, red: RED, dark: DARK },
  fontFamily: SYSTEM,
  headings: { fontFamily: SYSTEM },
  defaultRadius: 'sm',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { md: '1.45' },
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { transitionProps: { duration: 80 } } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } }),
  },
});
