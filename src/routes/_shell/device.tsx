import { createFileRoute } from '@tanstack/react-router'
import { Suspense } from 'react'
import { BackToHub } from '#src/app/mine/BackToHub.tsx'
import { DevicePage } from '#src/features/account/DevicePage.tsx'
import { StatsOpener } from '#src/features/stats/lazy.ts'
import { deviceParts } from './-device.tsx'

export const Route = createFileRoute('/_shell/device')({
  staticData: { title: '设备与数据' },
  component: () => (
    <DevicePage
      back={<BackToHub />}
      stats={
        <Suspense>
          <StatsOpener />
        </Suspense>
      }
      {...deviceParts}
    />
  ),
})
