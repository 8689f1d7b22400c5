/** A process of the product gets this of the test run's environment: where programs and compiled code are, and no setting. */
export const bareEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}
