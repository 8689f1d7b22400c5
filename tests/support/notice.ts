import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

/** The dialog of the specification says this, and is put away. */
export async function putAway(text: string): Promise<void> {
  const dialog = within(await screen.findByRole('dialog', { name: '提示信息' }))
  expect(dialog.getByText(text)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: '知道了' }))
}
