import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Tabs.layer.css'
import { MantineProvider, type MantineColorScheme, mergeThemeOverrides } from '@mantine/core'
import type { ReactNode } from 'react'
import { cssVariables, theme } from './theme.ts'
import classes from './Forms.module.css'

const forms = mergeThemeOverrides(theme, {
  components: {
    Tabs: { classNames: { tab: classes.tab } },
    TextInput: { classNames: { wrapper: classes.wrapper, label: classes.label } },
    NativeSelect: { classNames: { wrapper: classes.wrapper, label: classes.label } },
    PasswordInput: {
      classNames: { wrapper: classes.wrapper, label: classes.label, visibilityToggle: classes.toggle },
      defaultProps: {
        visibilityToggleButtonProps: { 'aria-label': '显示或隐藏密码' },
        visibilityToggleFocusable: true,
      },
    },
  },
})
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
    <MantineProvider
      theme={forms}
      defaultColorScheme="light"
      colorSchemeManager={follow}
      cssVariablesResolver={cssVariables}
    >
      {children}
    </MantineProvider>
  )
}
