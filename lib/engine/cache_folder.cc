// SPDX-License-Identifier: GPL-3.0-or-later
//
// Opens, checks, reads and replaces files by descriptors.

#include "cache_folder.h"
#include "environment.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace gr {
namespace gpufft {

namespace {

constexpr const char* UNFINISHED = "writing-";
constexpr off_t LARGEST_FILE = off_t(1) << 28; // larger than any file of this module

// A file descriptor that is closed with its owner.
class descriptor
{
public:
    explicit descriptor(int number) : d_number(number) {}
    ~descriptor()
    {
        if (d_number >= 0)
            ::close(d_number);
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    operator int() const { return d_number; }

    bool close()
    {
        const int number = d_number;
        d_number = -1;
        return ::close(number) == 0;
    }

private:
    int d_number;
};

// Why others than this user may have written the file; "" if they cannot.
std::string distrust(const struct stat& found)
{
    if (found.st_uid != ::geteuid())
        return "it belongs to user " + std::to_string(found.st_uid) + ", not to " +
               std::to_string(::geteuid());
    if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        char mode[16];
        std::snprintf(
            mode, sizeof(mode), "%04o", static_cast<unsigned>(found.st_mode & 07777));
        return "others may write it (mode " + std::string(mode) + ")";
    }
    return "";
}

void make_folders(const std::string& path)
{
    std::filesystem::path made;
    for (const std::filesystem::path& part : std::filesystem::path(path)) {
        made /= part;
        ::mkdir(made.c_str(), 0700); // most of them exist
    }
}

// Reads to the end; "" if that fails.
std::string read_all(int file, std::size_t bytes)
{
    std::string content(bytes + 1, '\0'); // one byte more, to see the end
    std::size_t held = 0;
    while (held < content.size()) {
        const ssize_t got = ::read(file, &content[held], content.size() - held);
        if (got < 0 && errno != EINTR)
            return "";
        if (got == 0)
            break;
        held += got > 0 ? got : 0;
    }
    content.resize(held);
    return content;
}

bool write_all(int file, const std::string& content)
{
    std::size_t written = 0;
    while (written < content.size()) {
        const ssize_t put = ::write(file, &content[written], content.size() - written);
        if (put < 0 && errno != EINTR)
            return false;
        written += put > 0 ? put : 0;
    }
    return true;
}

// A name that nobody can guess, and that no two processes choose.
std::string unfinished_name()
{
    std::random_device random;
    char name[32];
    std::snprintf(name, sizeof(name), "%s%08x%08x", UNFINISHED, random(), random());
    return name;
}

} // namespace

bool is_unfinished(const std::string& name) { return name.rfind(UNFINISHED, 0) == 0; }

bool is_stale(const cache_folder::file& file)
{
    constexpr int HOUR = 3600; // seconds; no writer takes as long
    return is_unfinished(file.name) && std::time(nullptr) - file.used > HOUR;
}

cache_folder::cache_folder(const std::string& path, if_missing missing) : d_path(path)
{
    if (path.empty())
        return;
    if (missing == if_missing::make)
        make_folders(path);
    d_descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
    struct stat found = {};
    if (d_descriptor < 0) {
        if (errno != ENOENT)
            d_reason = std::strerror(errno);
    } else if (::fstat(d_descriptor, &found) != 0) {
        d_reason = std::strerror(errno);
    } else {
        d_reason = distrust(found);
    }
    if (d_reason.empty())
        return;
    d_reason = "the cache " + path + " is not used: " + d_reason;
    say_once(d_reason);
    if (d_descriptor >= 0)
        ::close(d_descriptor);
    d_descriptor = -1;
}

cache_folder::~cache_folder()
{
    if (d_descriptor >= 0)
        ::close(d_descriptor);
}

std::string cache_folder::read(const std::string& name) const
{
    // A pipe must not block.
    const descriptor file(
        ::openat(d_descriptor, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat found = {};
    if (file < 0 || ::fstat(file, &found) != 0)
        return "";
    std::string reason = distrust(found);
    if (!S_ISREG(found.st_mode) || found.st_size > LARGEST_FILE)
        reason = "it is no file of this module";
    if (reason.empty())
        return read_all(file, static_cast<std::size_t>(found.st_size));
    say_once(d_path + "/" + name + " is not used: " + reason);
    return "";
}

void cache_folder::replace(const std::string& name, const std::string& content) const
{
    if (d_descriptor < 0)
        return;
    const std::string unfinished = unfinished_name();
    descriptor file(::openat(d_descriptor,
                             unfinished.c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             0600));
    if (file < 0)
        return;
    const bool written = write_all(file, content);
    if (!file.close() || !written ||
        ::renameat(d_descriptor, unfinished.c_str(), d_descriptor, name.c_str()) != 0)
        remove(unfinished);
}

void cache_folder::touch(const std::string& name) const
{
    ::utimensat(d_descriptor, name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

void cache_folder::remove(const std::string& name) const
{
    ::unlinkat(d_descriptor, name.c_str(), 0);
}

std::vector<cache_folder::file> cache_folder::files() const
{
    std::vector<file> found;
    // A new descriptor: closedir() closes it, and it has its own position.
    const int again = ::openat(d_descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const folder = again < 0 ? nullptr : ::fdopendir(again);
    if (folder == nullptr) {
        if (again >= 0)
            ::close(again);
        return found;
    }
    while (const dirent* each = ::readdir(folder)) {
        struct stat now = {};
        if (::fstatat(d_descriptor, each->d_name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(now.st_mode))
            found.push_back(
                { each->d_name, static_cast<std::size_t>(now.st_size), now.st_mtime });
    }
    ::closedir(folder);
    return found;
}

cache_folder::lock::lock(const cache_folder& folder) : d_descriptor(folder.d_descriptor)
{
    using namespace std::chrono;
    const auto end = steady_clock::now() + seconds(10);
    while (d_descriptor >= 0 && ::flock(d_descriptor, LOCK_EX | LOCK_NB) != 0) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || steady_clock::now() > end)
            d_descriptor = -1; // the file system has no locks, or the holder sleeps
        else
            std::this_thread::sleep_for(milliseconds(2));
    }
}

cache_folder::lock::~lock()
{
    if (d_descriptor >= 0)
        ::flock(d_descriptor, LOCK_UN); // a forked child may still have the descriptor
}

} // namespace gpufft
} // namespace gr
