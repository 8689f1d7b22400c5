import { IconChevronRight } from '@tabler/icons-react'
import { clsx } from 'clsx'
import { useId, useState } from 'react'
import { Button } from '#src/ui/Button.tsx'
import common from '#src/ui/common.module.css'
import fields from '#src/ui/Field.module.css'
import classes from './Address.module.css'
import { type Codes, RegionSheet } from './RegionSheet.tsx'
import type { Provinces, Regions } from './useRegions.ts'

interface RegionFieldProps {
  regions: Regions
  codes: Codes
  fault: string | undefined
  onPick: (codes: Codes) => void
}

/** 省市区: what is chosen, and the way to choose. */
export function RegionField({ regions: { provinces, failed, again }, codes, fault, onPick }: RegionFieldProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const name = provinces && namesOf(provinces, codes)
  return (
    <div className={fields.field}>
      <span id={`${id}label`} className={common.strong}>
        省市区
      </span>
      <button
        type="button"
        id={id}
        className={clsx(common.between, fields.input, classes.region)}
        aria-labelledby={`${id}label ${id}`}
        aria-haspopup="dialog"
        data-invalid={fault !== undefined || undefined}
        aria-describedby={fault && `${id}fault`}
        disabled={provinces === null}
        onClick={() => setOpen(true)}
      >
        {name || (provinces || failed ? '请选择' : '正在加载...')}
        <IconChevronRight className={common.fixed} size={18} aria-hidden="true" />
      </button>
      {fault && (
        <em id={`${id}fault`} className={clsx(common.small, common.wrong, classes.fault)}>
          {fault}
        </em>
      )}
      {failed && (
        <p role="alert" className={clsx(common.wrap, common.warm)}>
          省市区列表没有加载出来，联网后可选
          <Button small look="light" onClick={again}>
            重试
          </Button>
        </p>
      )}
      {open && provinces && (
        <RegionSheet
          provinces={provinces}
          codes={codes}
          onPick={(picked) => {
            onPick(picked)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

function namesOf(provinces: Provinces, codes: Codes): string {
  const province = provinces.find(({ code }) => code === codes.province)
  const city = province?.cities.find(({ code }) => code === codes.city)
  const district = city?.districts.find(({ code }) => code === codes.district)
  return [...new Set([province, city, district].flatMap((each) => each?.name ?? []))].join(' ')
}
