import { createTheme, type MantineColorsTuple } from '@mantine/core';

// Smalt is glass coloured with cobalt: this is its blue, from paper to ink.
const smalt: MantineColorsTuple = [
  '#eef3fb',
  '#d9e4f5',
  '#b3c8ea',
  '#8aaadf',
  '#668fd5',
  '#4c7bcd',
  '#3a6bc2',
  '#2b59ab',
  '#1f4a94',
  '#143a7b',
];

// The arrow in it is a picture without words, which screen readers would tell of.
const SILENT = { 'aria-hidden': true } as const;

export const theme = createTheme({
  colors: { smalt },
  primaryColor: 'smalt',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  spacing: { xs: '0.375rem', sm: '0.625rem', md: '0.875rem', lg: '1.25rem', xl: '1.75rem' },
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NativeSelect: { defaultProps: { size: 'xs', rightSectionProps: SILENT } },
    Select: { defaultProps: { size: 'xs', rightSectionProps: SILENT } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tabs: { defaultProps: { keepMounted: false } },
  },
});
