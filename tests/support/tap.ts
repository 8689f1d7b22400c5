import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'

/** Presses a button once it is there and can be pressed, as a student would: a press on one that is busy does nothing. */
export async function tap(name: string | RegExp): Promise<void> {
  const button = await waitFor(() => {
    const found = screen.getByRole('button', { name })
    if (found.matches(':disabled')) throw new Error(`${String(name)} cannot be pressed yet`)
    return found
  })
  await userEvent.click(button)
}
