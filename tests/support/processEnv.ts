/** What a process of the product gets of the test run's own environment: no setting of it but where programs and compiled code are. */
export const bareEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
}
