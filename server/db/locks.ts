/**
 * Advisory locks of PostgreSQL, of which each database has one numbered set for everything: what two replicas must not do at the same
 * time takes its own. A number that is in use stays: replicas of two versions run side by side.
 */
export const LOCKS = {
  import: 20_260_001,
  tally: 20_260_002,
  demo: 20_260_003,
  forecasts: 20_260_004,
  fits: 20_260_005,
} as const
