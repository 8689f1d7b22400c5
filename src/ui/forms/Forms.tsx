import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Tabs.layer.css'
import {
  createTheme,
  type CSSVariablesResolver,
  MantineProvider,
  type MantineColorScheme,
  type MantineColorsTuple,
} from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Forms.module.css'

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
  components: {
    TextInput: { classNames: { wrapper: classes.wrapper } },
    PasswordInput: {
      classNames: { wrapper: classes.wrapper, visibilityToggle: classes.toggle },
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': '显示或隐藏密码' },
        visibilityToggleFocusable: true,
      },
    },
  },
})
const colours = {
  '--mantine-color-text': 'var(--lj-text)',
  '--mantine-color-placeholder': 'var(--lj-muted)',
  '--mantine-color-error': 'var(--lj-wrong)',
}
/** app/theme.css says what each is in light and in dark. */
const ours: CSSVariablesResolver = () => ({ variables: {}, light: colours, dark: colours })
/** index.html and ui/scheme.ts own the scheme; Mantine follows the attribute that they write. */
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
    <MantineProvider theme={theme} defaultColorScheme="light" colorSchemeManager={follow} cssVariablesResolver={ours}>
      {children}
    </MantineProvider>
  )
}
