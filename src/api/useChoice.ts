import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChoiceKind, consent } from '#src/contract/consent.ts'
import { call } from './client.ts'
import { consentsQuery } from './consents.ts'
import { setAnswer } from './query.ts'

/**
 * Reads and changes one choice of the student, as the server has it.
 * @param after is called when it has changed, for what is shown elsewhere
 */
export function useChoice(kind: ChoiceKind, after: () => void = () => {}) {
  const client = useQueryClient()
  const { data } = useQuery(consentsQuery())
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (given: boolean) => call(consent.choose, { kind, given }),
    onSuccess: (consents) => {
      setAnswer(client, consentsQuery(), consents)
      after()
    },
  })
  return { on: isPending ? variables : (data?.on.includes(kind) ?? false), known: data !== undefined, set: mutate }
}
