//! Arrays of the host into buffers and back: large ones by several threads (`staging.rs`), others by the driver. What
//! must be converted on the way is converted chunk by chunk, into the memory that is copied from and out of that which
//! was copied to.

use super::event::Event;
use super::{Buffer, Gpu, Staging, refused};
use crate::error::Result;
use bytemuck::Pod;
use cudarc::driver::result;
use std::ops::Range;
use std::sync::Arc;

/// Writes the elements from a place on.
type Fill<'a, T> = &'a (dyn Fn(usize, &mut [T]) + Sync);

impl Buffer {
    /// The contents of a slice.
    pub fn from_slice<T: Pod>(gpu: &Arc<Gpu>, what: &str, host: &[T]) -> Result<Self> {
        let mut buffer = Self::new(gpu, what, size_of_val(host))?;
        // Nothing that is queued can use it yet: copying need not wait.
        if !buffer.stage(Staging::usual(), None, (0, host.len()), &copy_of(host))? {
            buffer.send(0, host)?;
        }
        Ok(buffer)
    }

    /// So many elements; `fill` writes them part by part, on several threads, and is told the place of a part.
    pub fn from_parts<T: Pod>(gpu: &Arc<Gpu>, what: &str, length: usize, fill: Fill<'_, T>) -> Result<Self> {
        let mut buffer = Self::new(gpu, what, length * size_of::<T>())?;
        if !buffer.stage(Staging::usual(), None, (0, length), fill)? {
            buffer.send(0, &whole(length, fill))?;
        }
        Ok(buffer)
    }

    /// Copies a slice to the beginning; the slice may be reused at once.
    pub fn upload<T: Pod>(&mut self, host: &[T]) -> Result<()> {
        self.upload_at(0, host)
    }

    /// Copies a slice behind the first so many elements; the slice may be reused at once.
    pub fn upload_at<T: Pod>(&mut self, first: usize, host: &[T]) -> Result<()> {
        self.upload_by(Staging::usual(), first, host)
    }

    /// The same in a way that is named.
    pub fn upload_by<T: Pod>(&mut self, way: Staging, first: usize, host: &[T]) -> Result<()> {
        let queued = self.queued_before(way, size_of_val(host))?;
        let staged = self.stage(way, queued.as_ref(), (first, host.len()), &copy_of(host))?;
        if staged { self.gpu.synchronize() } else { self.send(first, host) }
    }

    /// The first so many elements anew; `fill` writes them as for [`from_parts`](Self::from_parts).
    pub fn upload_parts<T: Pod>(&mut self, length: usize, fill: Fill<'_, T>) -> Result<()> {
        let way = Staging::usual();
        let queued = self.queued_before(way, length * size_of::<T>())?;
        let staged = self.stage(way, queued.as_ref(), (0, length), fill)?;
        if staged { self.gpu.synchronize() } else { self.send(0, &whole(length, fill)) }
    }

    /// The first so many elements; waits for everything before it.
    pub fn download<T: Pod>(&self, length: usize) -> Result<Vec<T>> {
        self.download_at(0, length)
    }

    /// So many elements behind the first so many; waits for everything before it.
    pub fn download_at<T: Pod>(&self, first: usize, length: usize) -> Result<Vec<T>> {
        let mut host = bytemuck::zeroed_vec(length); // pages are touched where they are written: by several threads
        self.download_by(Staging::usual(), first, &mut host)?;
        Ok(host)
    }

    /// As many elements as a slice has, in a way that is named.
    pub fn download_by<T: Pod>(&self, way: Staging, first: usize, host: &mut [T]) -> Result<()> {
        let address = self.address_of::<T>(first, host.len());
        let place = (address, size_of_val(host), size_of::<T>());
        self.gpu.synchronize()?;
        let target = Target(host.as_mut_ptr());
        let take = |chunk: Range<usize>, bytes: &[u8]| {
            let from: &[T] = bytemuck::cast_slice(bytes);
            // SAFETY: a chunk of the slice, which no other thread has.
            unsafe { target.part(chunk.start / size_of::<T>(), from.len()) }.copy_from_slice(from);
        };
        if self.gpu.copy(|| way.download(&self.gpu, place, &take))? {
            return Ok(());
        }
        // SAFETY: lengths were checked; the stream is idle and the copy is synchronous.
        refused("cuMemcpyDtoH", self.gpu.copy(|| unsafe { result::memcpy_dtoh_sync(host, address) }))
    }

    /// The first so many elements, each converted as it arrives.
    pub fn download_as<T: Pod, U: Pod>(&self, length: usize, convert: impl Fn(T) -> U + Sync) -> Result<Vec<U>> {
        let place = (self.address_of::<T>(0, length), length * size_of::<T>(), size_of::<T>());
        self.gpu.synchronize()?;
        let mut host: Vec<U> = bytemuck::zeroed_vec(length);
        let target = Target(host.as_mut_ptr());
        let take = |chunk: Range<usize>, bytes: &[u8]| {
            let from: &[T] = bytemuck::cast_slice(bytes);
            // SAFETY: a chunk of the vector, which no other thread has.
            let to = unsafe { target.part(chunk.start / size_of::<T>(), from.len()) };
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = convert(from));
        };
        let staged = self.gpu.copy(|| Staging::usual().download(&self.gpu, place, &take))?;
        if staged { Ok(host) } else { Ok(self.download::<T>(length)?.into_iter().map(convert).collect()) }
    }

    /// What copies into this buffer must wait for, if they are not for the stream itself.
    fn queued_before(&self, way: Staging, bytes: usize) -> Result<Option<Event>> {
        if way.pays(bytes) { self.gpu.mark().map(Some) } else { Ok(None) }
    }

    /// Copies what `fill` writes, by several threads; false where that does not pay, and nothing was done.
    fn stage<T: Pod>(
        &mut self,
        way: Staging,
        after: Option<&Event>,
        (first, length): (usize, usize),
        fill: Fill<'_, T>,
    ) -> Result<bool> {
        let place = (self.address_of::<T>(first, length), length * size_of::<T>(), size_of::<T>());
        let fill = |chunk: Range<usize>, bytes: &mut [u8]| {
            fill(chunk.start / size_of::<T>(), bytemuck::cast_slice_mut(bytes));
        };
        let staged = self.gpu.copy(|| way.upload(&self.gpu, after, place, &fill))?;
        if staged { self.gpu.failure().map_or(Ok(true), Err) } else { Ok(false) }
    }

    /// Copies a slice by the driver.
    fn send<T: Pod>(&mut self, first: usize, host: &[T]) -> Result<()> {
        let to = self.address_of::<T>(first, host.len());
        self.gpu.enter();
        self.gpu.copy(|| {
            // SAFETY: lengths were checked; the copy is over before `host` can go, because the stream is waited for.
            refused("cuMemcpyHtoDAsync", unsafe { result::memcpy_htod_async(to, host, self.gpu.stream) })?;
            self.gpu.synchronize()
        })
    }

    /// Where some elements are; they must be inside.
    fn address_of<T>(&self, first: usize, length: usize) -> u64 {
        let (from, bytes) = (first * size_of::<T>(), length * size_of::<T>());
        assert!(from + bytes <= self.bytes(), "a copy of {bytes} behind {from} of {} bytes", self.bytes());
        self.address() + from as u64
    }
}

/// Writes parts of a slice.
fn copy_of<T: Pod>(host: &[T]) -> impl Fn(usize, &mut [T]) + Sync {
    let host: &[u8] = bytemuck::cast_slice(host);
    move |place, to| {
        let (first, to) = (place * size_of::<T>(), bytemuck::cast_slice_mut::<T, u8>(to));
        to.copy_from_slice(&host[first..first + to.len()]);
    }
}

/// All that `fill` writes.
fn whole<T: Pod>(length: usize, fill: Fill<'_, T>) -> Vec<T> {
    let mut host = bytemuck::zeroed_vec(length);
    fill(0, &mut host);
    host
}

/// An array of which several threads write different parts.
struct Target<T>(*mut T);

// SAFETY: plain data; `part` says what its callers must see to.
unsafe impl<T: Pod> Sync for Target<T> {}

impl<T: Pod> Target<T> {
    /// Some elements. They must be inside of the array, and nobody else may have them.
    #[allow(clippy::mut_from_ref)] // each call gives other elements
    unsafe fn part(&self, first: usize, length: usize) -> &mut [T] {
        // SAFETY: as the caller has promised.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(first), length) }
    }
}
