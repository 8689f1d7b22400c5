import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

/** Shades for Mantine, which computes with them. Shade 8, counted from 0, is `--lj-accent` of the light theme. */
const olive: MantineColorsTuple = [
  '#f3f6ec',
  '#e6ecd8',
  '#cfdab4',
  '#b5c68d',
  '#9eb46c',
  '#8da657',
  '#6f8a3e',
  '#566e31',
  '#4d6330',
  '#3d5024',
]

/** Mantine with the sizes of tokens.css, so that a field of its own and one of ours look the same. */
export const theme = createTheme({
  primaryColor: 'olive',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: { olive },
  fontFamily: 'var(--lj-fonts)',
  fontSizes: {
    xs: 'var(--lj-font-xs)',
    sm: 'var(--lj-font-sm)',
    md: 'var(--lj-font-lg)',
    lg: 'var(--lj-font-xl)',
    xl: 'var(--lj-font-2xl)',
  },
  lineHeights: {
    xs: 'var(--lj-leading-tight)',
    sm: 'var(--lj-leading-snug)',
    md: 'var(--lj-leading-normal)',
    lg: 'var(--lj-leading-normal)',
    xl: 'var(--lj-leading-relaxed)',
  },
  radius: {
    xs: 'var(--lj-radius-xs)',
    sm: 'var(--lj-radius-sm)',
    md: 'var(--lj-radius-md)',
    lg: 'var(--lj-radius-lg)',
    xl: 'var(--lj-radius-xl)',
  },
  defaultRadius: 'md',
  respectReducedMotion: true,
})

const colours = {
  '--mantine-color-text': 'var(--lj-text)',
  '--mantine-color-placeholder': 'var(--lj-muted)',
  '--mantine-color-error': 'var(--lj-wrong)',
}
/** The same in both schemes: tokens.css says what each of these is by day and by night. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: colours, dark: colours })
