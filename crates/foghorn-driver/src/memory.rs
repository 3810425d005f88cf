//! How much memory a process and its children use, and how much there is: read from `/proc` and from
//! the control groups.

use std::fs;

/// Resident bytes of a process and everything below it; 0 if it is gone.
///
/// A child that is started or ends while we look may be missed until the next look.
pub fn resident_bytes(process: u32) -> u64 {
    let mut total = 0;
    let mut open = vec![process];
    while let Some(process) = open.pop() {
        total += resident_of(process);
        open.extend(children_of(process));
    }
    total
}

/// The highest resident size so far of the calling process alone.
pub fn own_peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// The memory that this process can have: that of the machine, or less where a control group (a
/// container) limits it; `None` if nobody says.
pub fn available_bytes() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let total = total.and_then(|text| text.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let limits = limit_files(&groups).into_iter();
    let limits = limits.filter_map(|file| fs::read_to_string(file).ok()?.trim().parse().ok());
    limits.chain(total.map(|kilobytes| kilobytes * 1024)).min()
}

/// The files that limit the groups which `/proc/self/cgroup` lists, and the groups around them.
/// Inside a container the group's own path may not be visible; its root then is the group.
fn limit_files(groups: &str) -> Vec<String> {
    let mut files = vec![];
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        let mut path = path.trim_end_matches('/');
        loop {
            files.push(format!("{root}{path}/{file}"));
            match path.rsplit_once('/') {
                Some((outer, _)) => path = outer,
                None => break,
            }
        }
    }
    files
}

fn resident_of(process: u32) -> u64 {
    // Pages that it has in memory are the second number.
    let statm = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|word| word.parse().ok());
    pages.unwrap_or(0_u64) * page_bytes()
}

fn page_bytes() -> u64 {
    rustix::param::page_size() as u64
}

/// The processes that any thread of a process started.
fn children_of(process: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else {
        return vec![];
    };
    let mut children = vec![];
    for thread in threads.flatten() {
        let listed = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = listed
            .split_whitespace()
            .filter_map(|word| word.parse::<u32>().ok());
        children.extend(numbers);
    }
    children
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_use_memory_and_nobody_uses_none() {
        let own = resident_bytes(std::process::id());
        assert!(own > 100 * 1024, "{own}");
        assert!(own_peak_bytes() > 100 * 1024);
        // No process has this number.
        assert_eq!(resident_bytes(u32::MAX), 0);
    }

    #[test]
    fn a_machine_has_memory() {
        let available = available_bytes().expect("the kernel says it");
        assert!(available > 16 << 20, "{available}");
    }

    #[test]
    fn groups_and_those_around_them_limit() {
        let files = limit_files("0::/a/b\n");
        let expected = ["/a/b", "/a", ""].map(|path| format!("/sys/fs/cgroup{path}/memory.max"));
        assert_eq!(files, expected);
        let older = limit_files("4:cpu,memory:/\n3:pids:/x\n");
        assert_eq!(older, ["/sys/fs/cgroup/memory/memory.limit_in_bytes"]);
    }

    #[test]
    fn children_count() {
        let mut child = std::process::Command::new("sleep")
            .arg("30")
            .spawn()
            .expect("starts");
        let children = children_of(std::process::id());
        assert!(children.contains(&child.id()), "{children:?}");
        let _ = child.kill();
        let _ = child.wait();
    }
}
