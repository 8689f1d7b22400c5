import { serve } from './serve.ts'

serve(self)
