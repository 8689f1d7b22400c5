let asked = false

/** Before the first formula: where the browser knows no MathML, the styles that stand in for it are fetched. */
export function ensureMath(): void {
  if (asked) return
  asked = true
  const probe = document.createElement('div')
  probe.innerHTML = '<math><mspace width="20px" height="20px"></mspace></math>'
  probe.style.cssText = 'position:absolute;visibility:hidden'
  document.body.append(probe)
  const known = (probe.firstElementChild?.firstElementChild?.getBoundingClientRect().height ?? 0) > 10
  probe.remove()
  if (known) return
  document.documentElement.dataset.mathml = 'none'
  void import('./mathFallback.css')
}
