import { createTheme, type MantineColorsTuple } from '@mantine/core'

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

/** Mantine in our colours; everything else reads the variables of theme.css. */
export const theme = createTheme({
  primaryColor: 'olive',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: { olive },
  fontFamily: 'var(--lj-fonts)',
  defaultRadius: 'md',
  respectReducedMotion: true,
})
