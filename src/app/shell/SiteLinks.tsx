import { Link } from '@tanstack/react-router'

/** Leads to what the operator and students hold each other to. */
export const LegalLinks = ({ className }: { className: string }) => (
  <>
    <Link to="/agreement/user" className={className}>
      用户协议
    </Link>
    <Link to="/agreement/privacy" className={className}>
      隐私政策
    </Link>
    <Link to="/platform_promise" className={className}>
      平台承诺
    </Link>
  </>
)

export const PhoneLink = ({ phone, className }: { phone: string; className: string }) => (
  <a href={`tel:${phone}`} className={className}>
    {phone}
  </a>
)
