import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Tabs.layer.css'
import { createTheme, MantineProvider, type MantineColorScheme, type MantineColorsTuple } from '@mantine/core'
import type { ReactNode } from 'react'

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
const theme = createTheme({
  primaryColor: 'olive',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  colors: { olive },
  fontFamily: 'var(--lj-fonts)',
  defaultRadius: 'md',
  respectReducedMotion: true,
})
/** index.html and app/scheme.ts own the scheme; Mantine follows the attribute that they write. */
const follow = {
  get: (fallback: MantineColorScheme): MantineColorScheme =>
    document.documentElement.dataset.mantineColorScheme === 'dark' ? 'dark' : fallback,
  set: () => {},
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => {},
}

/** Mantine in our colours, around screens with forms. They load lazily, so studying never waits for it. */
export function Forms({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="light" colorSchemeManager={follow}>
      {children}
    </MantineProvider>
  )
}
