import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { licencesOf } from '#src/domain/app/licences.ts'
import { InstallOpener } from '#src/install/InstallOpener.tsx'
import common from '#src/ui/common.module.css'
import classes from './Footer.module.css'
import { siteQuery } from './site.ts'
import { LegalLinks, PhoneLink } from './SiteLinks.tsx'

const lineLook = clsx(common.wrap, classes.line)
const linkLook = clsx(common.inline, classes.link)

/** 联系我们, copyright, the platform's promise, the filing number (spec §1) and other licences. What the operator has not set is left out. */
export function Footer() {
  const { data: site } = useQuery(siteQuery())
  return (
    <footer className={clsx(common.caption, classes.footer)}>
      <div className={classes.inner}>
        {site && (site.phone || site.chatId || site.address) && (
          <address className={lineLook}>
            <b>联系我们</b>
            {site.phone && (
              <span>
                客服电话 <PhoneLink phone={site.phone} className={linkLook} />
              </span>
            )}
            {site.chatId && <span>客服微信 {site.chatId}</span>}
            {site.address && <span>公司地址 {site.address}</span>}
          </address>
        )}
        <div className={lineLook}>
          <span>{site?.copyright}</span>
          <Link to="/about" className={linkLook}>
            关于我们
          </Link>
          <LegalLinks className={linkLook} />
          <Link to="/device" className={linkLook}>
            设备与数据
          </Link>
          <InstallOpener className={clsx(linkLook, classes.install)} />
          {site &&
            licencesOf(site).map(({ field, name, isPlain, number, link }) => (
              <a key={field} href={link(number)} className={linkLook} target="_blank" rel="noopener noreferrer">
                {isPlain ? number : `${name} ${number}`}
              </a>
            ))}
        </div>
      </div>
    </footer>
  )
}
