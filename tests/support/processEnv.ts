/** By these a process sees the time that `npm run hunt` has moved. */
const CLOCK = /^(?:LD_PRELOAD|FAKETIME_\w+|NO_FAKE_STAT)$/

/** A process of the product gets this of the test run's environment: where programs and compiled code are, the time, and no setting. */
export const bareEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => CLOCK.test(name))),
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}
