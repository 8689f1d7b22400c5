import classes from './Page.module.css'

/** What we hold ourselves to. Each line is kept by the product itself, not only by good will. */
export function PlatformPromise() {
  return (
    <article className={classes.text}>
      <h1>平台承诺</h1>
      <h2>一题不丢</h2>
      <p>每一次作答先保存在您的手机上，再显示对错；没有网络时照常做题，恢复网络后自动同步，同一条记录只会计一次。</p>
      <h2>随时可查</h2>
      <p>页面上方的同步标志随时显示还有多少条记录等待同步，点开可以查看明细，也可以导出救援文件。</p>
      <h2>保护军人隐私</h2>
      <p>我们不收集部队番号、职务与位置信息，不使用第三方跟踪工具；手机号在页面上只显示部分数字。</p>
      <h2>内容负责</h2>
      <p>题目由我们自行编写并逐题核对，标注为仿真样例；考试大纲与安排请以当年官方公告为准。</p>
      <h2>不打扰</h2>
      <p>新版本只在您同意后更新，做题和考试期间不会刷新页面。您自己的做题记录永远可以查看。</p>
    </article>
  )
}
