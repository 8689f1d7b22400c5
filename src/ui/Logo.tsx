/** public/icon.svg, drawn in place: the header must not wait for a file. */
export function Logo({ size }: { size: number }) {
  return (
    <svg viewBox="0 0 512 512" width={size} height={size} aria-hidden="true">
      <rect width="512" height="512" rx="112" fill="#4d6330" />
      <path d="M256 84l34 48v176h-68V132z" fill="#f7f9ee" />
      <path d="M256 84l34 48v176h-34z" fill="#d9e2c4" />
      <rect x="168" y="300" width="176" height="34" rx="17" fill="#e2a24d" />
      <rect x="238" y="334" width="36" height="74" rx="10" fill="#f7f9ee" />
      <circle cx="256" cy="420" r="24" fill="#e2a24d" />
    </svg>
  )
}
