import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'

/** Opens 更多 of the player, once its tools have come. */
export async function openMore(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: /^更多/ }))
  await screen.findByRole('dialog', { name: '更多' })
}

/** Does one of what 更多 offers. */
export async function more(name: string | RegExp): Promise<void> {
  await openMore()
  await userEvent.click(await screen.findByRole('button', { name }))
}
