export const history = {
  his_0042_3: () => `${4.5 / 2}倍`,
} satisfies Record<string, () => string | string[]>
