import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { InstallOpener } from '#src/install/InstallOpener.tsx'
import classes from './Footer.module.css'
import { siteQuery } from './site.ts'

/** 联系我们, copyright, the platform's promise and the filing number (spec §1). What the operator has not set is left out. */
export function Footer() {
  const { data: site } = useQuery(siteQuery())
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        {site && (site.phone || site.chatId || site.address) && (
          <address>
            <b>联系我们</b>
            {site.phone && (
              <span>
                客服电话 <a href={`tel:${site.phone}`}>{site.phone}</a>
              </span>
            )}
            {site.chatId && <span>客服微信 {site.chatId}</span>}
            {site.address && <span>公司地址 {site.address}</span>}
          </address>
        )}
        <div>
          <span>{site?.copyright}</span>
          <Link to="/platform_promise">平台承诺</Link>
          <InstallOpener />
          {site?.filingNo && (
            <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer">
              {site.filingNo}
            </a>
          )}
        </div>
      </div>
    </footer>
  )
}
